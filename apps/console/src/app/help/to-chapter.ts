import { CONTENTS } from '../../features/help/help-store.ts'
import type { Page } from '../../shared/page.ts'

/** The chapter of a page is named by the last part of its path; without a page the table of contents. */
export const toChapter = (page: Pick<Page, 'path'> | undefined): string =>
  page?.path.split('/').at(-1) ?? CONTENTS
