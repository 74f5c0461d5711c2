import type { ConsoleSettings } from '@isotherm/contract/endpoints/administration/console'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionKeys } from '../session/tokens.ts'
import { useConsoleSettings } from './console-settings.ts'

/**
 * Login-source id of a company's own console (specification, section 9). All other ids, usually 128, mean the common console.
 */
const COMPANY_SOURCE = 0

/** Titles of an installation without a company name, in one language. */
export interface CommonTitles {
  /** 二网平衡系统 */
  readonly document: string
  /** 二网平衡监控系统 */
  readonly topBar: string
}

export type Logo = { readonly kind: 'company'; readonly src: string } | { readonly kind: 'common' }

export interface Branding {
  readonly documentTitle: string
  readonly topBarTitle: string
  readonly logo: Logo | undefined
}

/** sidebarLogo: 0 none, 1 the company's, 2 the common one. */
function findLogo({ sidebarLogo, companyLogo }: ConsoleSettings): Logo | undefined {
  if (sidebarLogo === 2) return { kind: 'common' }
  return sidebarLogo === 1 && companyLogo !== null ? { kind: 'company', src: companyLogo } : undefined
}

/**
 * Title and logo by login-source id (specification, section 1): 0 selects those of the company, any other the common
 * title without a logo. Without a logo the top bar shows its common title.
 */
export function toBranding(loginSource: number, settings: ConsoleSettings, titles: CommonTitles): Branding {
  if (loginSource !== COMPANY_SOURCE)
    return { documentTitle: titles.document, topBarTitle: titles.topBar, logo: undefined }
  const documentTitle = settings.companyTitle ?? titles.document
  const logo = findLogo(settings)
  return { documentTitle, topBarTitle: logo ? documentTitle : titles.topBar, logo }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}

/**
 * Title and logo in the current language, by the login-source id stored in this browser, or else by that of the
 * installation.
 */
export function useBranding(): Branding {
  const { t } = useTranslation('common')
  const settings = useConsoleSettings()
  const stored = useSyncExternalStore(subscribe, () => localStorage.getItem(sessionKeys.loginSource))
  const loginSource = stored === null ? settings.loginSrcId : Number(stored)
  return toBranding(loginSource, settings, { document: t('title.document'), topBar: t('title.topBar') })
}
