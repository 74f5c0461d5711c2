import { i18n } from '../../../shared/i18n/i18n.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import type { LoadFailure } from './tree-loader.ts'

/** How long a warning of the tree is shown, s (specification, section 9). */
const WARNING_S = 1

/** Warns that a part of the tree could not be loaded. */
export function warnOf(failure: LoadFailure | 'projectsFailed', error: unknown): void {
  console.error(failure, error)
  showNotice('warning', i18n.t(failure, { ns: 'network' }), WARNING_S)
}
