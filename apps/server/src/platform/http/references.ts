import type { Effect, Endpoint } from '@isotherm/contract/endpoint'
import { listReferences, listValues, type Reference, referenceErrors } from '@isotherm/contract/refs'
import { AppError } from '../app-error.ts'
import type { Caller } from './call.ts'

export type ReferenceValues = readonly (string | number)[]

/** Whether all values exist for the caller: for `reads` what is visible, for `changes` what is inside the grants. */
export type ReferenceCheck = (caller: Caller, values: ReferenceValues, effect: Effect) => Promise<boolean>

/** A check for every kind of reference; a missing check does not compile. */
export type References = { readonly [Name in Reference]: ReferenceCheck }

/** The checks of one module. */
export type ReferencesOf<Name extends Reference> = Pick<References, Name>

/**
 * Checks the references in the inputs of an endpoint (contract refs.ts). Throws the kind's not-found error, the same for
 * missing and for inaccessible entities.
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
