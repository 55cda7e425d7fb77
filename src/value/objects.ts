import type { JsonObject, JsonValue } from '../types.ts'

/** Sets a key that came from a text: `__proto__` becomes a plain key, as JSON.parse does it. */
export function setKey(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else object[key] = value
}

/** Whether two values are the same JSON, whatever the order of keys. Works through a list, not by recursion. */
export function isSame(left: JsonValue, right: JsonValue): boolean {
  const pairs: [JsonValue, JsonValue][] = [[left, right]]
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [one, other] = pair
    if (one === other) continue
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
    if (Array.isArray(one) !== Array.isArray(other)) return false
    const keys = Object.keys(one)
    if (keys.length !== Object.keys(other).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(other, key)) return false
      pairs.push([(one as JsonObject)[key] as JsonValue, (other as JsonObject)[key] as JsonValue])
    }
  }
  return true
}
