import type { ModuleItem, UserInfo } from '@isotherm/contract/endpoints/administration/session'
import { permissionNamesZh } from '@isotherm/contract/locales/access/permissions.zh'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import type { Language } from '../i18n/language.ts'
import { storeAccess } from '../session/session-store.ts'
import { loadTestTexts } from './texts.testkit.ts'

const operator: UserInfo = {
  id: 7,
  account: 'operator',
  name: '王工',
  pAccount: '',
  sysrole: 0,
  tel: '',
  type_id: 0,
  usrUserLevel: 0,
  usrUserType: 'usr',
  projectIds: [],
}

/** Names of the modules of a new installation. */
const names: ReadonlyMap<string, string> = new Map(Object.entries(permissionNamesZh))

const toModule = (url: string, place: number): ModuleItem => ({
  id: place + 1,
  parentId: null,
  name: names.get(url) ?? url,
  url,
  icon: '',
  sort: place,
  enabled: true,
})

export interface RenderOptions {
  /** Default: Chinese. */
  readonly language?: Language
  /** Permission values of the user, for example `pe-fmreal`. Default: none. */
  readonly permissions?: readonly string[]
  /** Id of the user. Default: 7. */
  readonly userId?: number
  /** Kind of the user, such as '100' for staff of the provider. */
  readonly userType?: string
  /** Address at which the part is shown, for example `/?node=5`. */
  readonly address?: string
}

/** Renders a part of the console with everything that the shell provides: texts, permissions, router, query client. */
export async function renderPart(part: ReactNode, options: RenderOptions = {}) {
  const { language = 'zh', permissions = [], userId = operator.id, address = '/' } = options
  const { userType = operator.usrUserType } = options
  await loadTestTexts(language)
  const user = { ...operator, id: userId, usrUserType: userType }
  storeAccess({ user, data: permissions.map(toModule), rcode: 0, paccount: '' })
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false }, mutations: { retry: false } },
  })
  const router = createMemoryRouter([{ path: '*', element: part }], { initialEntries: [address] })
  const view = render(
    <ConfigProvider theme={{ token: { motion: false } }} button={{ autoInsertSpace: false }}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ConfigProvider>,
  )
  return {
    ...view,
    user: userEvent.setup(),
    /** Path and query of the address now. */
    address: () => `${router.state.location.pathname}${router.state.location.search}`,
  }
}
