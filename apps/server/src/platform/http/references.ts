import type { Effect, Endpoint } from '@isotherm/contract/endpoint'
import { listReferences, listValues, type Reference, referenceErrors } from '@isotherm/contract/refs'
import { AppError } from '../app-error.ts'
import type { Caller } from './call.ts'

export type ReferenceValues = readonly (string | number)[]

/**
 * Whether everything named exists in the caller's part of the installation: for `reads` what is shown to the
 * caller, for `changes` what lies inside the grants.
 */
export type ReferenceCheck = (caller: Caller, values: ReferenceValues, effect: Effect) => Promise<boolean>

/** A check for every kind of thing a call may name: a missing one does not compile. */
export type References = { readonly [Name in Reference]: ReferenceCheck }

/** The checks a module contributes. */
export type ReferencesOf<Name extends Reference> = Pick<References, Name>

/**
 * Checks what an endpoint's inputs name (contract refs.ts). Throws the not-found error of the kind for what is
 * absent, and the same for what is foreign.
 */
export function createReferenceCheck(
  { input: schema, effect }: Pick<Endpoint, 'input' | 'effect'>,
  references: References,
): (caller: Caller, input: unknown) => Promise<void> {
  const placesOf = Map.groupBy(listReferences(schema), ({ reference }) => reference)
  return async (caller, input) => {
    for (const [reference, places] of placesOf) {
      const values = [...new Set(places.flatMap(({ place }) => listValues(input, place)))]
      if (values.length === 0) continue
      if (!(await references[reference](caller, values, effect))) {
        throw new AppError(referenceErrors[reference])
      }
    }
  }
}
