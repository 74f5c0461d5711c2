import { QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider } from 'antd'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { RouterProvider } from 'react-router'
import { useLanguage } from '../shared/i18n/i18n.ts'
import { useIsDark } from '../shared/screen/appearance.ts'
import { useIsMotionReduced } from '../shared/screen/use-motion.ts'
import { Notices } from './layout/notices.tsx'
import { findAntdTexts } from './locales.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'
import { toAntTheme } from './theme.ts'

export function App(): ReactNode {
  const locale = findAntdTexts(useLanguage())
  const dark = useIsDark()
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  }, [dark])
  // antd wraps its children in a motion provider as soon as the motion setting differs from the default. That would
  // remount every page and lose typed text, so no page is rendered until the setting is known.
  const [isReady, setReady] = useState(false)
  useLayoutEffect(() => setReady(true), [])
  const hasMotion = !useIsMotionReduced() && isReady
  return (
    <ConfigProvider
      {...(locale && { locale })}
      theme={toAntTheme(dark, hasMotion)}
      button={{ autoInsertSpace: false }}
    >
      {isReady && (
        <QueryClientProvider client={queryClient}>
          <Notices />
          <RouterProvider router={router} />
        </QueryClientProvider>
      )}
    </ConfigProvider>
  )
}
