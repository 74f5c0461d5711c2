import type { ConsoleSettings } from '@isotherm/contract/endpoints/administration/console'
import type { Language } from '@isotherm/contract/locales/error-text'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config.ts'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { ServerModule } from '../../platform/server-module.ts'
import { type CompanyLogo, readCompanyLogo } from './company-logo.ts'
import * as en from './locales/en.ts'
import * as zh from './locales/zh.ts'
import { addLogoRoute, LOGO_PATH } from './logo-route.ts'

/** Title, logo and settings of an installation, readable without a session. */
export interface ConsoleModule {
  readonly handlers: HandlersOf<'getConsoleSettings'>
  /** Adds the route of the company's logo if there is one. Call it before the app listens. */
  mount(app: FastifyInstance): void
}

const DEMO_LOGO = new URL('demo-logo.svg', import.meta.url)
const demoTitles: Readonly<Record<Language, string>> = { zh: zh.demoTitle, en: en.demoTitle }

/** Login-source ids (specification, section 1): the company's title and logo, or the common title. */
const COMPANY_SOURCE = 0
const COMMON_SOURCE = 128

/** Reads the logo. Throws ConfigError when it cannot be used. */
export async function createConsole({
  mode,
  console: { companyTitle, companyLogoFile, sidebarLogo },
  history: { heatingSeason, timeZone },
  oidc,
}: Pick<Config, 'mode' | 'console' | 'history' | 'oidc'>): Promise<ConsoleModule> {
  const isDemo = mode === 'demo'
  // The demo has its own company, so that it shows a company title and logo.
  const isDemoCompany = isDemo && companyTitle === undefined
  const logoFile = isDemoCompany ? DEMO_LOGO : companyLogoFile
  const logo: CompanyLogo | undefined = logoFile === undefined ? undefined : await readCompanyLogo(logoFile)

  const [first = '', last = ''] = heatingSeason.split('/')

  function toSettings(language: Language): ConsoleSettings {
    const title = isDemoCompany ? demoTitles[language] : (companyTitle ?? null)
    return {
      companyTitle: title,
      companyLogo: logo === undefined ? null : LOGO_PATH,
      sidebarLogo,
      loginSrcId: title === null ? COMMON_SOURCE : COMPANY_SOURCE,
      demo: isDemo,
      ...(oidc && { singleSignOn: true as const }),
      heatingSeason: { first, last },
      timeZone,
    }
  }

  return {
    handlers: { getConsoleSettings: async (_input, { language }) => toSettings(language) },
    mount(app) {
      if (logo) addLogoRoute(app, logo)
    },
  }
}

/** Settings and logo of the console. Its `create` reads files that the configuration names. */
export const consoleModule = { create: createConsole } satisfies ServerModule
