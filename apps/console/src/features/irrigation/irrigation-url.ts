/** Parts of the page of programs. */
export const tabs = ['programs', 'calendar', 'groups', 'history'] as const
export type Tab = (typeof tabs)[number]

/** State of the page in its address. */
interface IrrigationUrl {
  readonly tab: Tab
  /** Absent: the first source of the selection. */
  readonly source: number | undefined
}

export const irrigationAddress = {
  parse(search: URLSearchParams): IrrigationUrl {
    const source = Number(search.get('source'))
    return {
      tab: tabs.find((tab) => tab === search.get('tab')) ?? 'programs',
      source: Number.isInteger(source) && source > 0 ? source : undefined,
    }
  },
  toSearch({ tab, source }: IrrigationUrl): URLSearchParams {
    const search = new URLSearchParams()
    if (tab !== 'programs') search.set('tab', tab)
    if (source !== undefined) search.set('source', String(source))
    return search
  },
}
