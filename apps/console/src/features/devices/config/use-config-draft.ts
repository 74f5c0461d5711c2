import { deviceProfile } from '@isotherm/contract/device-profile'
import { type FieldLine, type GatewayConfig, gatewayConfig } from '@isotherm/contract/gateway-config'
import { HIDDEN_SECRET } from '@isotherm/contract/gateways/secrets'
import { useDeferredValue, useMemo, useState } from 'react'
import type { KnownProfile } from '../profiles/profiles-query.ts'
import { completeDraft } from './draft/complete-draft.ts'
import {
  type Draft,
  type DraftPath,
  findMovedLine,
  getAt,
  isDraft,
  listAt,
  merge,
  setAt,
} from './draft/draft.ts'
import type { Editor } from './draft/editor.ts'
import { countFaults, findDraftFaults, toKey } from './draft/find-draft-faults.ts'
import { addLine } from './draft/new-line.ts'

/** A configuration and the version on which a change of it is based. */
export interface ConfigBase {
  readonly version: number
  readonly config: GatewayConfig | null
}

const toDraft = ({ config }: ConfigBase): Draft => (isDraft(config) ? config : { v: 1, lines: [] })

/**
 * The edited document of a gateway, the shown line and the faults. `unit`: registration packet of a unit for which a new
 * line is opened.
 */
export function useConfigDraft(
  initial: ConfigBase,
  known: readonly KnownProfile[],
  unit: string | undefined,
) {
  const [base, setBase] = useState(initial)
  const [draft, setDraft] = useState<Draft>(() =>
    unit === undefined ? toDraft(base) : addLine(toDraft(base), 'dtu-tcp', { registration: unit }),
  )
  const [openAt, setOpenAt] = useState<number | undefined>(() =>
    unit === undefined ? undefined : listAt(draft, ['lines']).length - 1,
  )
  const [isTried, setTried] = useState(false)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const registry = useMemo(() => known.map(({ profile }) => profile), [known])
  // A large document is checked after the typed character is shown.
  const checked = useDeferredValue(draft)
  const faults = useMemo(
    () => findDraftFaults(checked, { stored: base.config, profiles: registry }),
    [checked, base, registry],
  )
  const own = useMemo(
    () => listAt(draft, ['profiles']).flatMap((each) => deviceProfile.safeParse(each).data ?? []),
    [draft],
  )
  const editor: Editor = {
    draft,
    profiles: [...registry.filter(({ id }) => own.every((each) => each.id !== id)), ...own],
    isSecretStored([part, at, ...rest]) {
      const id = getAt(draft, [part ?? '', at ?? '', 'id'])
      const line = base.config?.lines.find((stored) => stored.id === id)
      return part === 'lines' && getAt(line, rest) === HIDDEN_SECRET
    },
    change(path: DraftPath, value: unknown) {
      setDraft((before) => setAt(before, path, value))
      setTouched((before) => new Set(before).add(toKey(path)))
    },
    faultAt(path) {
      const key = toKey(path)
      return isTried || touched.has(key) ? faults.get(key) : undefined
    },
    countAt: (path) => (isTried ? countFaults(faults, path) : 0),
  }
  return {
    version: base.version,
    editor,
    openAt,
    setOpenAt,
    isDirty: JSON.stringify(draft) !== JSON.stringify(toDraft(base)),
    /** Faults to name at the end; 0 before an attempt to save. */
    faultCount: isTried ? faults.size : 0,
    /** Opens a new line of a driver. */
    add(driver: FieldLine['driver']) {
      setOpenAt(listAt(draft, ['lines']).length)
      setDraft(addLine(draft, driver))
    },
    /** The document to save; undefined if it has faults, which are shown from then on. */
    complete(): GatewayConfig | undefined {
      setTried(true)
      const { data } = gatewayConfig.safeParse(completeDraft(draft))
      const left = findDraftFaults(draft, { stored: base.config, profiles: registry })
      if (data !== undefined && left.size === 0) return data
      // The list of lines shows which ones have faults.
      if (openAt !== undefined && countFaults(left, ['lines', openAt]) === 0) setOpenAt(undefined)
      return undefined
    },
    /** Takes over what another user saved meanwhile, below the own changes. */
    rebase(newest: ConfigBase) {
      const merged = merge(toDraft(base), draft, toDraft(newest))
      if (isDraft(merged)) {
        setDraft(merged)
        // The lines have other positions now.
        setOpenAt((at) => (at === undefined ? undefined : findMovedLine(draft, at, merged)))
        setTouched(new Set())
      }
      setBase(newest)
    },
  }
}
