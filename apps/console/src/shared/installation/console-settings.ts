import { type ConsoleSettings, getConsoleSettings } from '@isotherm/contract/endpoints/administration/console'
import { create } from 'zustand'
import { call } from '../api/client.ts'

/** What holds until the installation has said otherwise, and when it cannot be asked. */
const unnamed: ConsoleSettings = {
  companyTitle: null,
  companyLogo: null,
  sidebarLogo: 1,
  loginSrcId: 128,
  demo: false,
  heatingSeason: { first: '11-15', last: '03-15' },
}

const useSettings = create<ConsoleSettings>(() => unnamed)

let asked: Promise<ConsoleSettings> | undefined

async function ask(): Promise<ConsoleSettings> {
  try {
    const settings = await call(getConsoleSettings, {}, { quiet: true })
    useSettings.setState(settings)
    return settings
  } catch (error) {
    console.warn('the settings of this installation could not be had', error)
    asked = undefined
    return unnamed
  }
}

/** Asks for the settings once; a failure means those of an installation without a name, until asked again. */
export function loadConsoleSettings(): Promise<ConsoleSettings> {
  asked ??= ask()
  return asked
}

/** Title, logo and mode of this installation; also before anybody has signed in. */
export const useConsoleSettings = (): ConsoleSettings => useSettings()
