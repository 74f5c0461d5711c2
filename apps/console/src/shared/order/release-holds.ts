import { releaseHolds } from '@isotherm/contract/endpoints/control/valve-holds'
import { call } from '../api/client.ts'

/** Holds that one call releases. */
const AT_ONCE = 1_000

/** Releases holds, in several calls if needed. Holds released before a failed call stay released. */
export async function endHolds(ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    await call(releaseHolds, { ids: ids.slice(start, start + AT_ONCE) })
  }
}
