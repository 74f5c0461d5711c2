import type { ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { quantile } from '@isotherm/kernel/statistics'
import { orderField, startField } from '../company/field-process.ts'
import type { FieldSettings } from '../company/field-settings.ts'
import { endProcess } from '../server/processes.ts'
import type { Incidents } from './incidents.ts'

/** Duration of one order to the field, s. */
const ORDER_S = 10

export interface FieldLoad {
  /** 99 of 100 acknowledgements since the last call came within this time, ms. */
  takeP99Ms(): number
  /** Ends the process of all devices without a goodbye and starts another one. */
  restart(): Promise<void>
  /** Acknowledged messages by number of the start. */
  stop(): Promise<ReadonlyMap<number, number>>
}

/** All devices of a company report again and again until they are stopped. */
export async function startFieldLoad(
  settings: Omit<FieldSettings, 'boot'>,
  reportsPerS: number,
  incidents: Incidents,
): Promise<FieldLoad> {
  const acknowledged = new Map<number, number>()
  let boot = Math.floor(Date.now() / 1_000)
  let field: ChildProcess = (await startField({ ...settings, boot })).child
  let p99sMs: number[] = []
  let restarted: Promise<void> = Promise.resolve()
  let isOver = false

  const work = async () => {
    while (!isOver) {
      await restarted
      const startedBy = boot
      try {
        const { messages, p99Ms, failed, firstFailure } = await orderField(field, {
          reports: Math.round(reportsPerS * ORDER_S),
          seconds: ORDER_S,
        })
        acknowledged.set(startedBy, (acknowledged.get(startedBy) ?? 0) + messages)
        p99sMs.push(p99Ms)
        if (failed > 0) incidents.add(`field: ${failed} reports failed: ${firstFailure}`)
      } catch (error) {
        incidents.add(`field: ${error}`)
        // A field that ended by itself comes back like one that was killed.
        if (startedBy === boot && !isOver) await replace()
      }
    }
  }

  async function replace(): Promise<void> {
    field.kill('SIGKILL')
    boot = Math.max(boot + 1, Math.floor(Date.now() / 1_000))
    for (;;) {
      try {
        field = (await startField({ ...settings, boot })).child
        return
      } catch (error) {
        incidents.add(`field: ${error}`)
        await wait(5_000)
      }
    }
  }

  const working = work()
  working.catch((error: unknown) => incidents.add(`field: ${error}`))
  return {
    takeP99Ms() {
      const ms = quantile(p99sMs, 0.99) ?? Number.NaN
      p99sMs = []
      return ms
    },
    restart() {
      restarted = replace()
      return restarted
    },
    async stop() {
      isOver = true
      await working
      await endProcess(field)
      return acknowledged
    },
  }
}
