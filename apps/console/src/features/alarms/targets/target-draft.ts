import type { AlarmKind, AlarmSeverity } from '@isotherm/contract/alarm-kinds'
import type { AlarmTarget } from '@isotherm/contract/alarms'
import { addAlarmTarget } from '@isotherm/contract/endpoints/alarm-rules'

/** A target as it stands in the form. */
export interface TargetDraft {
  readonly name: string
  readonly url: string
  readonly severities: readonly AlarmSeverity[]
  readonly kinds: readonly AlarmKind[]
  readonly enabled: boolean
  /** Empty leaves a stored one as it is. */
  readonly secret: string
}

/** Random bytes a key for signatures is made of. */
const SECRET_BYTES = 24

/** A key nobody can guess, as it can be copied. */
export const newSecret = (): string =>
  [...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

/** The form of a stored target, whose secret nobody is told, or of a new one with a secret of its own. */
export const toTargetDraft = (target: AlarmTarget | undefined, secret: string): TargetDraft =>
  target
    ? {
        name: target.name,
        url: target.url,
        enabled: target.enabled,
        secret: '',
        severities: target.severities,
        kinds: target.kinds,
      }
    : { name: '', url: '', severities: [], kinds: [], enabled: true, secret }

export type TargetField = 'name' | 'url' | 'secret'

const { name, url, secret } = addAlarmTarget.input.shape

/** Fields of a draft that the server would refuse. */
export function listFaults(draft: TargetDraft, isNew: boolean): readonly TargetField[] {
  const mustHaveSecret = isNew || draft.secret !== ''
  return [
    ...(name.safeParse(draft.name).success ? [] : (['name'] as const)),
    ...(url.safeParse(draft.url.trim()).success ? [] : (['url'] as const)),
    ...(!mustHaveSecret || secret.safeParse(draft.secret).success ? [] : (['secret'] as const)),
  ]
}
