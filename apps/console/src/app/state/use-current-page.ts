import { useLocation } from 'react-router'
import type { Page } from '../../shared/page.ts'
import { findPage } from '../pages.ts'

/** Definition of the page in front; nothing on /404. */
export const useCurrentPage = (): Page | undefined => findPage(useLocation().pathname)
