import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { childEnvironment, MQTT_SECRET } from './server-process.testkit.ts'

export interface Ended {
  readonly code: number
  /** All output, both streams. */
  readonly output: string
  /** What the program sent to its parent. */
  readonly messages: readonly unknown[]
}

/** Runs one of the server's programs to its end. `execPath`: the program that runs it instead of Node. */
export async function runProgram(
  program: string,
  env: object,
  words: readonly string[] = [],
  execPath = process.execPath,
): Promise<Ended> {
  const child = spawn(execPath, [join(import.meta.dirname, '..', program), ...words], {
    env: { ...childEnvironment, ISOTHERM_MQTT_SECRET: MQTT_SECRET, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const messages: unknown[] = []
  child.on('message', (message) => messages.push(message))
  const [outputs, [code]] = await Promise.all([
    Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ''))),
    once(child, 'exit'),
  ])
  return { code: z.number().parse(code ?? -1), output: outputs.join('').trim(), messages }
}
