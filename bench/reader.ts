import type { Benchmark } from './benchmark.ts'
import { tools } from './reader-inputs.ts'
import { measureLarge } from './reader-large.ts'
import { measureProse } from './reader-prose.ts'
import { measureSmall } from './reader-small.ts'
import { loadStreamers } from './streamers.ts'

/** How fast whole replies are read as they come in: large calls, many calls, and prose without any. */
export const reading: Benchmark = {
  name: 'reader',
  async measure(say) {
    const streamers = await loadStreamers()
    const large = await measureLarge(streamers, say)
    const texts = measureProse(say)
    const small = await measureSmall(streamers.hermes, say)
    return {
      title: 'Reading a reply as it comes',
      bars: [...large.bars, ...texts.bars, ...small.bars],
      blocks: [intro, ...large.blocks, ...texts.blocks, ...small.blocks],
      faults: [...large.faults, ...texts.faults, ...small.faults],
    }
  },
}

const intro = `Replies as models write them, made by [bench/reader-inputs.ts](../bench/reader-inputs.ts) from a fixed seed, with ${tools.length} tools offered. The large call is a
\`write_file\` with a source file as its content (quotes, backslashes, tabs, HTML tags): once as JSON in \`<tool_call>\`, once in tags. It comes in chunks of four characters, about
one token each. JSON parsers get the same JSON in the same chunks, without the markers, and with nothing to check it against.`
