import { useNavigate } from 'react-router'
import { revealNode } from '../../features/network/session/reveal.ts'
import { toFailureText } from '../../shared/api/api-error.ts'
import { showNotice } from '../../shared/notices/notices.ts'
import { useIsMobile } from '../../shared/screen/use-width.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { isPermitted } from '../guard/menu.ts'
import { pages } from '../pages.ts'
import { openSidebar, openTreeWithPage, showTreeDrawer } from '../state/sidebar-store.ts'
import { useCurrentPage } from '../state/use-current-page.ts'
import { toMenuTarget } from '../tabs/tabs-store.ts'
import type { Choice } from './entries.ts'
import { saveRecent } from './recent.ts'

/**
 * Returns the function that runs a chosen entry of the palette. A node is shown in the tree of this page, or of the first
 * permitted page with a tree.
 */
export function useChoose(): (choice: Choice) => void {
  const navigate = useNavigate()
  const page = useCurrentPage()
  const { user, permitted } = useSession()
  const mobile = useIsMobile()
  const openTreePage = () => {
    if (page?.showsTree) {
      if (mobile) showTreeDrawer(true)
      return
    }
    const first = pages.find((each) => each.showsTree && isPermitted(each, permitted))
    if (!first) return
    if (mobile) openTreeWithPage(first.path)
    void navigate(toMenuTarget(first.path))
  }
  return (choice) => {
    if (choice.kind === 'action') return choice.run()
    if (choice.kind === 'page') return void navigate(toMenuTarget(choice.path))
    if (user) saveRecent(localStorage, user.id, choice)
    openTreePage()
    openSidebar()
    revealNode(choice.hit).catch((error: unknown) => {
      console.error('the node could not be shown', error)
      showNotice('warning', toFailureText(error))
    })
  }
}
