import { type ConsoleSettings, getConsoleSettings } from '@isotherm/contract/endpoints/administration/console'
import { create } from 'zustand'
import { call } from '../api/client.ts'

/** Defaults until the settings are loaded, and if they cannot be loaded. */
const unnamed: ConsoleSettings = {
  companyTitle: null,
  companyLogo: null,
  sidebarLogo: 1,
  loginSrcId: 128,
  demo: false,
  heatingSeason: { first: '11-15', last: '03-15' },
  timeZone: 'Asia/Shanghai',
}

const useSettings = create<ConsoleSettings>(() => unnamed)

let loading: Promise<ConsoleSettings> | undefined

async function loadSettings(): Promise<ConsoleSettings> {
  try {
    const settings = await call(getConsoleSettings, {}, { quiet: true })
    useSettings.setState(settings)
    return settings
  } catch (error) {
    console.warn('the settings of this installation could not be had', error)
    loading = undefined
    return unnamed
  }
}

/** Loads the settings once. After a failure it returns the defaults, and the next call retries. */
export function loadConsoleSettings(): Promise<ConsoleSettings> {
  loading ??= loadSettings()
  return loading
}

/** Settings of this installation, also before login. */
export const useConsoleSettings = (): ConsoleSettings => useSettings()
