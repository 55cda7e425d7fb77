/** Lets the examples run in a checkout that was never built: `callwright` is then what stands in src/. */
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    const [name, folder] = specifier.split('/', 2)
    if (name !== 'callwright') return next(specifier, context)
    return next(new URL(`../src/${folder === undefined ? '' : `${folder}/`}index.ts`, import.meta.url).href, context)
  },
})
