import type { ReactNode } from 'react'
import { showAbout, useAbout } from '../../features/help/about/about-store.ts'
import { LazyPart } from '../../shared/lazy/lazy-part.tsx'
import { openTexts } from '../locales.ts'

const loadBox = async () => {
  const [box] = await Promise.all([import('../../features/help/about/about-box.tsx'), openTexts('help')])
  return box
}

/** The about box. Loaded when the user menu first opens it. */
export function LazyAbout(): ReactNode {
  const { isOpen } = useAbout()
  return <LazyPart wanted={isOpen} load={loadBox} onFailed={() => showAbout(false)} />
}
