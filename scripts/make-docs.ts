/**
 * Writes the pages that are made from the code's own lists, so that they cannot say anything else than the code does.
 * A test fails when a page is not what this makes: run `npm run docs` after a change of the lists.
 */
import { writeFileSync } from 'node:fs'
import { dialectsPage } from './docs/dialects.ts'
import { fittingPage } from './docs/fitting.ts'
import { refusalsPage } from './docs/refusals.ts'
import { repairsPage } from './docs/repairs.ts'
import { transcriptsPage } from './docs/transcripts.ts'

/** The pages by their place, each with what makes it. */
export const madePages: { readonly [page: string]: () => string | Promise<string> } = {
  'docs/repairs.md': repairsPage,
  'docs/fitting.md': fittingPage,
  'docs/refusals.md': refusalsPage,
  'docs/dialects.md': dialectsPage,
  'docs/transcripts.md': transcriptsPage,
}

if (import.meta.main) {
  for (const [page, make] of Object.entries(madePages)) {
    writeFileSync(new URL(`../${page}`, import.meta.url), await make())
    process.stdout.write(`Written: ${page}\n`)
  }
}
