import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { startProcess, waitForLine } from '../server/processes.ts'
import type { FieldOrder, FieldResult, FieldSettings } from './field-settings.ts'

/** Starts the process of all devices and waits until its concentrators are connected. */
export async function startField(
  settings: FieldSettings,
): Promise<{ child: ChildProcess; connected: number }> {
  const child = startProcess(new URL('./field.ts', import.meta.url), [JSON.stringify(settings)])
  child.stderr?.pipe(process.stderr)
  return { child, connected: Number(await waitForLine(child, 'FIELD ')) }
}

/** Has the devices carry out an order. */
export async function orderField(field: ChildProcess, order: FieldOrder): Promise<FieldResult> {
  const ended = new AbortController()
  field.send(order)
  try {
    const [result] = await Promise.race([
      once(field, 'message', { signal: ended.signal }),
      once(field, 'exit', { signal: ended.signal }).then(() => {
        throw new Error('the field ended')
      }),
    ])
    return result
  } finally {
    ended.abort()
  }
}
