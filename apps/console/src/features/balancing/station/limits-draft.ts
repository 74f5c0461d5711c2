/** A range of setpoints and the largest change by one command, all in the unit of the setpoint. */
export type StationLimits<Name extends string> = Readonly<Record<Name, number>>

/** Limits in the form; null while incomplete. */
export type LimitsDraft<Name extends string> = Readonly<Record<Name, number | null>>

/** Typed limits, with the version of the limits when editing started. */
export interface TypedLimits<Name extends string> {
  readonly draft: LimitsDraft<Name>
  readonly version: number
}

/** Fields of limits: the bounds of each field in the order of the form, and the names of both ends of the range. */
export interface LimitFields<Name extends string> {
  readonly bounds: Readonly<Record<Name, { readonly min: number; readonly max: number }>>
  readonly minName: Name
  readonly maxName: Name
}

const namesOf = <Name extends string>({ bounds }: LimitFields<Name>): readonly Name[] =>
  Object.keys(bounds) as Name[]

/** Whether both ends of the range are typed and the minimum is not below the maximum. */
export function isCrossed<Name extends string>(
  { minName, maxName }: LimitFields<Name>,
  draft: LimitsDraft<Name>,
): boolean {
  const [low, high] = [draft[minName], draft[maxName]]
  return low !== null && high !== null && low >= high
}

/** Valid limits; undefined while a field is empty or out of bounds, or the minimum is not below the maximum. */
export function fromDraft<Name extends string>(
  fields: LimitFields<Name>,
  draft: LimitsDraft<Name>,
): StationLimits<Name> | undefined {
  const isComplete = (typed: LimitsDraft<Name>): typed is StationLimits<Name> =>
    namesOf(fields).every((name) => {
      const value = typed[name]
      return value !== null && value >= fields.bounds[name].min && value <= fields.bounds[name].max
    })
  return isComplete(draft) && !isCrossed(fields, draft) ? draft : undefined
}

/**
 * Content of the fields: typed values, else the present limits. `isOutdated` if another user has saved different
 * limits since editing started: saving now would silently undo them.
 */
export function judgeDraft<Name extends string>(
  fields: LimitFields<Name>,
  typed: TypedLimits<Name> | undefined,
  { limits, version }: { readonly limits: StationLimits<Name>; readonly version: number },
) {
  const draft: LimitsDraft<Name> = typed?.draft ?? limits
  const isChanged = namesOf(fields).some((name) => draft[name] !== limits[name])
  return { draft, isChanged, isOutdated: isChanged && typed !== undefined && typed.version !== version }
}
