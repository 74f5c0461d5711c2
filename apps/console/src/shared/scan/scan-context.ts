import { createContext } from 'react'
import type { ScannedCode } from './read-code.ts'

/**
 * Why a scanned code does not fit; or what to do with it. This is done before the dialog closes, unless the user has closed it or given it
 * a photo meanwhile.
 */
export type Judgement = string | (() => void)

/** What the dialog that scans a code does with it. */
export interface Scan {
  /** What to scan: a label of a device or of a place. */
  readonly title: string
  /** Judges a scanned code and changes nothing itself. */
  readonly onCode: (code: ScannedCode, text: string) => Judgement | Promise<Judgement>
  readonly onClose: () => void
}

/** Provided by what opens the dialog, which loads on first use. */
export const ScanContext = createContext<Scan | undefined>(undefined)
