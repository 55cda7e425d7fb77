/** The process that is killed: node killed-process.ts FOLDER */
import { invite } from './killed-task.ts'

await invite(process.argv[2] ?? '', { killsItself: true })
