import { ADDRESS_SEPARATOR, treeLevels } from '@isotherm/contract/tree'

/** One step of an address below a sub-user: 1单元 is one, 1单元-301 another below it. */
export interface AddressStep {
  readonly address: string
  /** Address of the step above; null right below the sub-user. */
  readonly above: string | null
  readonly name: string
  readonly level: number
}

function toStep(parts: readonly string[]): AddressStep {
  const above = parts.slice(0, -1).join(ADDRESS_SEPARATOR)
  return {
    address: parts.join(ADDRESS_SEPARATOR),
    above: above === '' ? null : above,
    name: parts.at(-1) ?? '',
    level: treeLevels.building + parts.length,
  }
}

/** All steps of addresses, each once, those above before those below. */
export function listSteps(addresses: readonly string[]): readonly AddressStep[] {
  const steps = new Map<string, AddressStep>()
  for (const address of addresses) {
    const parts = address.split(ADDRESS_SEPARATOR)
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const step = toStep(parts.slice(0, depth))
      steps.set(step.address, step)
    }
  }
  return [...steps.values()].toSorted((left, right) => left.level - right.level)
}
