import type { NodeHealth } from '@isotherm/contract/endpoints/network/tree'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { findLevelName } from '../../../shared/nodes/level-name.ts'
import { toNodeType } from '../lists/node-kinds.ts'

/** Texts of the rows, each built once for all rows. */
export interface RowTexts {
  readonly level: (level: number, kind: number) => string
  readonly devices: (health: NodeHealth) => string
  readonly health: (health: NodeHealth) => string
}

export function useRowTexts(): RowTexts {
  const { t } = useTranslation('network')
  const { number } = useFormat()
  return useMemo(() => {
    const levels = new Map<number, string>()
    const healths = new WeakMap<NodeHealth, string>()
    const toLevel = (level: number, kind: number): string => {
      const name = findLevelName(level)
      if (name) return t(`level.${name}`, { ns: 'common' })
      return toNodeType(kind) === 'addr' ? t('level.address', { ns: 'common' }) : ''
    }
    const toHealth = ({ devCount, silentCount, badCount }: NodeHealth): string => {
      if (devCount === 0) return t('health.none')
      const parts = [
        ...(silentCount > 0 ? [t('health.silent', { count: devCount, silent: silentCount })] : []),
        ...(badCount > 0 ? [t('health.bad', { count: devCount, bad: badCount })] : []),
      ]
      return parts.length > 0 ? parts.join(t('semicolon')) : t('health.good', { count: devCount })
    }
    return {
      level(level, kind) {
        const known = levels.get(level * 256 + kind)
        if (known !== undefined) return known
        const text = toLevel(level, kind)
        levels.set(level * 256 + kind, text)
        return text
      },
      devices: ({ devCount }) => number(devCount, 0),
      health(health) {
        const text = healths.get(health) ?? toHealth(health)
        healths.set(health, text)
        return text
      },
    }
  }, [t, number])
}
