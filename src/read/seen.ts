/** Texts that a model was given, and what stands in them word for word. White space does not count. */
export class SeenTexts {
  private readonly texts: string[] = []
  private readonly waiting: string[] = []

  constructor(texts: readonly string[] = []) {
    for (const text of texts) this.add(text)
  }

  add(text: string): void {
    this.waiting.push(text)
  }

  /** Most replies have no call in their text, and what was seen may be long: it is prepared when it is first asked for. */
  has(raw: string): boolean {
    for (const text of this.waiting.splice(0)) this.texts.push(withoutSpace(text))
    const wanted = withoutSpace(raw)
    return this.texts.some((text) => text.includes(wanted))
  }
}

const withoutSpace = (text: string): string => text.replace(/\s+/g, '')
