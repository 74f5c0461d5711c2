import { ADDRESS_SEPARATOR, treeLevels } from '@isotherm/contract/tree'

/** One step of an address below a sub-user: 1单元-301 has the steps 1单元 and 1单元-301. */
export interface AddressStep {
  readonly address: string
  /** Address of the step above; null for a step directly below the sub-user. */
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

/** All distinct steps of addresses, parents first. */
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
