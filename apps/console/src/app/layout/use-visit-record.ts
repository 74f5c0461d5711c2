import { useEffect } from 'react'
import { recordUse } from '../../shared/api/record-use.ts'
import { i18n } from '../../shared/i18n/i18n.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { useCurrentPage } from '../state/use-current-page.ts'

/** Records each navigation to a page in the operation log. A change of the query on the same page is no navigation. */
export function useVisitRecord(): void {
  const page = useCurrentPage()
  const userId = useSession((session) => session.user?.id)
  useEffect(() => {
    if (page && userId !== undefined) recordUse({ kind: 'visit', path: page.path, title: page.title(i18n.t) })
  }, [page, userId])
}
