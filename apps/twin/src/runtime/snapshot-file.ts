import { readFileSync } from 'node:fs'
import { writeFileWhole } from '../files/write-file.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { type TwinSnapshot, twinSnapshot } from './snapshot.ts'

/** Result of reading a snapshot file. */
export type SnapshotOutcome =
  | { readonly kind: 'snapshot'; readonly snapshot: TwinSnapshot }
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly reason: string }

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Keys that older snapshots have under another name. */
const RENAMED: readonly (readonly [from: string, to: string])[] = [
  ['"isRunningTold":', '"isRunningReported":'],
  ['"ownNodes":', '"ownGateways":'],
  ['"node":', '"gateway":'],
]

const renameKeys = (text: string): string =>
  RENAMED.reduce((renamed, [from, to]) => renamed.replaceAll(from, to), text)

/** Reads a snapshot of this scenario. */
export function readSnapshotFile(path: string, scenario: Scenario): SnapshotOutcome {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return { kind: 'none' }
    throw error
  }
  try {
    const snapshot = twinSnapshot.parse(JSON.parse(renameKeys(text)))
    if (snapshot.seed !== scenario.seed || snapshot.scenario !== scenario.name)
      return { kind: 'unusable', reason: `it is of another company (${snapshot.scenario} ${snapshot.seed})` }
    return { kind: 'snapshot', snapshot }
  } catch (error) {
    return { kind: 'unusable', reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Writes a snapshot so that a crash leaves either the old or the new one. */
export const writeSnapshotFile = (path: string, snapshot: TwinSnapshot): void =>
  writeFileWhole(path, JSON.stringify(snapshot))
