import type { Scene } from '../scene.ts'
import { cutReply } from './cut-reply.ts'
import { inventedParameter } from './invented-parameter.ts'
import { objectAsText } from './object-as-text.ts'
import { pythonAction } from './python-action.ts'
import { secretBackwards } from './secret-backwards.ts'

/** The scenes of the demo, each with tools of its own that nobody has used. */
export const scenes = (): Scene[] => [
  pythonAction(),
  inventedParameter(),
  cutReply(),
  secretBackwards(),
  objectAsText(),
]
