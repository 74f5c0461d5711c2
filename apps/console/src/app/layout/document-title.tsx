import { useEffect } from 'react'
import { create } from 'zustand'
import { useBranding } from '../../shared/installation/branding.ts'

const usePageTitle = create<{ readonly title: string | undefined }>(() => ({ title: undefined }))

/** Sets the name of the current page in the document title; without a page only the product. */
export function useTitleOfPage(title: string | undefined): void {
  useEffect(() => {
    usePageTitle.setState({ title })
    return () => usePageTitle.setState({ title: undefined })
  }, [title])
}

/** Updates the document title on every page and on the login. */
export function DocumentTitle(): null {
  const { documentTitle } = useBranding()
  const { title } = usePageTitle()
  useEffect(() => {
    document.title = title === undefined ? documentTitle : `${title} - ${documentTitle}`
  }, [title, documentTitle])
  return null
}
