/** A stream of what a generator makes, when it is asked for. `cancel` must end whatever the generator waits for. */
export function readableOf<Part>(
  parts: AsyncGenerator<Part, void, undefined>,
  cancel: () => void = () => undefined,
): ReadableStream<Part> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel,
  })
}
