import { QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider } from 'antd'
import en from 'antd/locale/en_US'
import zh from 'antd/locale/zh_CN'
import { type ReactNode, useLayoutEffect } from 'react'
import { RouterProvider } from 'react-router'
import { useLanguage } from '../shared/i18n/i18n.ts'
import { useIsDark } from '../shared/ui/appearance.ts'
import { Notices } from './layout/notices.tsx'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'
import { toAntTheme } from './theme.ts'

export function App(): ReactNode {
  const language = useLanguage()
  const dark = useIsDark()
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  }, [dark])
  return (
    <ConfigProvider
      locale={language === 'zh' ? zh : en}
      theme={toAntTheme(dark)}
      button={{ autoInsertSpace: false }}
    >
      <QueryClientProvider client={queryClient}>
        <Notices />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ConfigProvider>
  )
}
