/** Addresses to listen on, which no client can connect to everywhere: the machine itself is meant. */
const everywhere = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
  ['', '127.0.0.1'],
])

/**
 * Where OLLAMA_HOST says that Ollama is, as Ollama itself reads it: host, port and scheme may each be missing.
 *
 * @example
 * ollamaAddress('0.0.0.0') // 'http://127.0.0.1:11434'
 * ollamaAddress('https://models.example') // 'https://models.example:443'
 */
export function ollamaAddress(value: string | undefined): string | undefined {
  const text = value?.trim().replace(/^["']|["']$/g, '') ?? ''
  if (text === '') return undefined
  const cut = text.indexOf('://')
  const scheme = cut < 0 ? 'http' : text.slice(0, cut)
  if (scheme !== 'http' && scheme !== 'https') return undefined
  const [place = ''] = text.slice(cut < 0 ? 0 : cut + 3).split('/')
  const bracket = place.indexOf(']')
  const colon = place.indexOf(':', bracket + 1)
  // Several colons outside brackets are an IPv6 address without a port.
  const isBare = bracket < 0 && colon >= 0 && place.includes(':', colon + 1)
  const host = isBare ? `[${place}]` : colon < 0 ? place : place.slice(0, colon)
  const port = isBare || colon < 0 ? NaN : Number(place.slice(colon + 1) || NaN)
  const usual = cut < 0 ? 11434 : scheme === 'https' ? 443 : 80
  const isPort = Number.isInteger(port) && port >= 0 && port <= 65535
  const address = `${scheme}://${everywhere.get(host) ?? host}:${isPort ? port : usual}`
  return URL.canParse(address) ? address : undefined
}
