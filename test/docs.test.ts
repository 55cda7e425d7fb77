/** The documents: what they show is run, what is made from the code is fresh, and no link leads nowhere. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { madePages } from '../scripts/make-docs.ts'
import { repairs } from '../src/read/repairs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'))
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')
const blocksOf = (page: string, language: string): string[] =>
  [...textOf(page).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map((match) => match[1] ?? '')

describe('pages are what the lists in the code say (npm run docs)', () => {
  for (const [page, make] of Object.entries(madePages)) test(page, async () => assert.equal(textOf(page), await make()))
})

test('the README counts the repairs right', () => {
  const [, count] = textOf('README.md').match(/\[(\d+) named repairs\]/) ?? []
  assert.equal(Number(count), Object.keys(repairs).length)
})

describe('examples of the documents run, and their results are as written', () => {
  const folder = join(root, '.tmp', 'docs')
  for (const page of pages) {
    for (const [index, block] of blocksOf(page, 'ts').entries()) {
      test(`${page}, example ${index + 1}`, async () => {
        const checked = block
          .replaceAll(`from 'callwright'`, `from '../../src/index.ts'`)
          .replaceAll(`from 'callwright/workspace'`, `from '../../src/tools/workspace/index.ts'`)
          .replaceAll(`from 'callwright/test'`, `from '../../src/test/index.ts'`)
          .replaceAll(`from 'callwright/ai-sdk'`, `from '../../src/ai-sdk/index.ts'`)
          .replace(
            /^(.*\S) +\/\/ => (.*)$/gm,
            (_, expression, expected) => `assert.deepEqual(${expression}, ${expected})`,
          )
        assert.match(checked, /assert\.deepEqual/, 'an example shows a result')
        mkdirSync(folder, { recursive: true })
        const file = join(folder, `${page.replaceAll(/\W/g, '-')}-${index}.ts`)
        writeFileSync(file, `import assert from 'node:assert/strict'\n${checked}`)
        await import(pathToFileURL(file).href)
        rmSync(file)
      })
    }
    for (const [index, block] of blocksOf(page, 'console').entries()) {
      test(`${page}, command ${index + 1}`, { skip: process.platform === 'win32' && 'needs a POSIX shell' }, () => {
        const [line = '', ...output] = block.split('\n')
        const command = line.replace(/^\$ /, '').replace('npx callwright', `'${process.execPath}' bin/callwright.js`)
        const { stdout } = spawnSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' })
        assert.equal(stdout.trimEnd(), output.join('\n').trimEnd())
      })
    }
  }
})

test('every link inside the repository leads somewhere', () => {
  const broken: string[] = []
  for (const page of pages) {
    for (const [, target = ''] of textOf(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
      if (!/^https?:/.test(target) && !existsSync(join(root, dirname(page), target))) broken.push(`${page}: ${target}`)
    }
  }
  assert.deepEqual(broken, [])
})
