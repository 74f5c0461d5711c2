import { useSyncExternalStore } from 'react'
import { create } from 'zustand'

/** What the user chose; `system` follows the system's own setting. */
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

const systemDark = matchMedia('(prefers-color-scheme: dark)')

function subscribe(listener: () => void): () => void {
  systemDark.addEventListener('change', listener)
  return () => systemDark.removeEventListener('change', listener)
}

/** Whether the console is dark now: for what CSS variables cannot reach, such as charts. */
export function useIsDark(): boolean {
  const system = useSyncExternalStore(subscribe, () => systemDark.matches)
  const { appearance } = useAppearance()
  return appearance === 'system' ? system : appearance === 'dark'
}
