import { create } from 'zustand'

/** A place in the manual: a chapter by the name of its file, and a heading of it by its slug. */
export interface Place {
  readonly chapter: string
  readonly heading?: string
}

/** The chapter with the table of contents: docs/manual/{zh,en}/README.md. */
export const CONTENTS = 'README'

interface HelpState {
  readonly isOpen: boolean
  /** The places that were read since the manual was opened; the last is shown. */
  readonly trail: readonly Place[]
}

const isSame = (left: Place | undefined, right: Place): boolean =>
  left?.chapter === right.chapter && left.heading === right.heading

/** State of the manual. It is opened from the shell: by F1, the user menu and the command palette. */
export const useHelp = create<HelpState>(() => ({ isOpen: false, trail: [] }))

/** Opens the manual at a place, or goes there in the open manual. */
export const showHelp = (place: Place): void =>
  useHelp.setState(({ trail }) => ({
    isOpen: true,
    trail: isSame(trail.at(-1), place) ? trail : [...trail, place],
  }))

/** Returns to the place that was read before. */
export const goBack = (): void => useHelp.setState(({ trail }) => ({ trail: trail.slice(0, -1) }))

export const closeHelp = (): void => useHelp.setState({ isOpen: false, trail: [] })
