import type { LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'

/** All texts that tools gave to the model, so that a copy of one is known. */
export function textsOfResults(prompt: LanguageModelV4Prompt): string[] {
  const texts: string[] = []
  for (const { role, content } of prompt) {
    if (role !== 'tool' && role !== 'assistant') continue
    for (const part of content) if (part.type === 'tool-result') texts.push(...textsOf(part.output))
  }
  return texts
}

/** The texts of a result; of JSON also those inside it, which a model copies without their escapes. */
function textsOf(output: LanguageModelV4ToolResultOutput): string[] {
  if (output.type === 'text' || output.type === 'error-text') return [output.value]
  if (output.type === 'execution-denied') return output.reason === undefined ? [] : [output.reason]
  if (output.type === 'content') return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const texts = [JSON.stringify(output.value)]
  const stack: unknown[] = [output.value]
  while (stack.length > 0) {
    const here = stack.pop()
    if (typeof here === 'string') texts.push(here)
    else if (typeof here === 'object' && here !== null) for (const inner of Object.values(here)) stack.push(inner)
  }
  return texts
}
