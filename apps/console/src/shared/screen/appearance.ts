import { create } from 'zustand'
import { createMediaHook } from './use-media.ts'

/** Theme chosen by the user; `system` follows the system setting. */
export type Appearance = 'light' | 'dark' | 'system'

const KEY = 'isotherm.appearance'

const toAppearance = (text: string | null): Appearance =>
  text === 'light' || text === 'dark' ? text : 'system'

export const useAppearance = create<{ readonly appearance: Appearance }>(() => ({
  appearance: toAppearance(localStorage.getItem(KEY)),
}))

export function chooseAppearance(appearance: Appearance): void {
  localStorage.setItem(KEY, appearance)
  useAppearance.setState({ appearance })
}

const useIsSystemDark = createMediaHook('(prefers-color-scheme: dark)')

/** Whether the console is dark now, for parts that CSS variables cannot reach, such as charts. */
export function useIsDark(): boolean {
  const system = useIsSystemDark()
  const { appearance } = useAppearance()
  return appearance === 'system' ? system : appearance === 'dark'
}
