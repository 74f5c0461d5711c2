import type { Reply } from './command-memory.ts'

/** Control of the supply temperature by a station's controller, with the state of its commands. */
export interface SupplyController {
  readonly serial: string
  /** Commanded offset of the heating curve, K. */
  offsetK: number
  readonly replies: Map<string, Reply>
  /** Highest accepted command revision. */
  rev: number
  activeCommand: string | undefined
  /** When the concentrator stops waiting for the device's answer to a command, Unix ms. */
  busGivesUpMs: number | undefined
}

export const createSupplyController = (serial: string): SupplyController => ({
  serial,
  offsetK: 0,
  replies: new Map(),
  rev: 0,
  activeCommand: undefined,
  busGivesUpMs: undefined,
})
