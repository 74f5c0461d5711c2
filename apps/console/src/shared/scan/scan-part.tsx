import type { ReactNode } from 'react'
import { LazyPart } from '../lazy/lazy-part.tsx'
import { type Scan, ScanContext } from './scan-context.ts'

const loadDialog = () => import('./scan-dialog.tsx')

/** The dialog that scans a code; loads with its decoder when it first opens. */
export const ScanPart = ({ isOpen, ...scan }: Scan & { readonly isOpen: boolean }): ReactNode => (
  <ScanContext value={isOpen ? scan : undefined}>
    <LazyPart wanted={isOpen} load={loadDialog} onFailed={scan.onClose} />
  </ScanContext>
)
