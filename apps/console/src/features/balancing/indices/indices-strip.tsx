import type { IndexName } from '@isotherm/balancing/indices/index-meanings'
import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { BalanceIndices } from '@isotherm/contract/balancing/campaign'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import styles from './figures.module.css'
import { IndexFigure, IndexMeaning, useIndexText } from './index-figure.tsx'
import { indexNames } from './index-value.ts'
import { RatioHistogram } from './ratio-histogram.tsx'
import type { BalanceValve } from './valve-query.ts'

/** Main indices of each page, those of its target first. */
const mainIndices: Readonly<Record<BalanceKind, readonly IndexName[]>> = {
  temperature: [
    'sigmaReturnK',
    'withinOneK',
    'under18',
    'flowBalance',
    'totalFlowKgS',
    'dropK',
    'headPa',
    'pumpW',
  ],
  sequence: [
    'flowBalance',
    'maxImbalance',
    'heatWM2',
    'under18',
    'over24',
    'totalFlowKgS',
    'headPa',
    'pumpW',
  ],
  energy: [
    'heatWM2',
    'heatIntensityVariation',
    'heatWM2K',
    'under18',
    'over24',
    'totalFlowKgS',
    'dropK',
    'pumpW',
  ],
  flow: [
    'flowBalance',
    'balanceDegreePass',
    'minImbalance',
    'maxImbalance',
    'sigmaReturnK',
    'totalFlowKgS',
    'headPa',
    'pumpW',
  ],
}

const ALL_WIDTH_PX = 460

interface IndicesProps {
  readonly kind: BalanceKind
  readonly indices: BalanceIndices
}

/** The main indices of a loop. */
export function IndicesStrip({ kind, indices }: IndicesProps) {
  const { t } = useTranslation('balancing')
  return (
    <section className={styles.strip} aria-label={t('indices.label')}>
      {mainIndices[kind].map((name) => (
        <IndexFigure key={name} name={name} value={indices[name]} />
      ))}
    </section>
  )
}

interface AllIndicesProps extends Pick<IndicesProps, 'indices'> {
  readonly valves: readonly BalanceValve[]
}

/** A button that opens every index with its formula. */
export function AllIndices({ indices, valves }: AllIndicesProps) {
  const { t } = useTranslation('balancing')
  const [isOpen, setOpen] = useState(false)
  const toText = useIndexText()
  return (
    <>
      <Button onClick={() => setOpen(true)} data-testid="all-indices">
        {t('indices.all')}
      </Button>
      <SideDrawer
        isWanted={isOpen}
        title={t('indices.title')}
        widthPx={ALL_WIDTH_PX}
        onClose={() => setOpen(false)}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what it scrolls */}
        <section aria-label={t('indices.title')} tabIndex={0}>
          {isOpen && <RatioHistogram valves={valves} />}
          <ul className={styles.all}>
            {indexNames.map((name) => (
              <li key={name}>
                <header>
                  <strong>{t(`index.${name}`)}</strong>
                  <span className={styles.value} data-absent={indices[name] === undefined || undefined}>
                    {toText(name, indices[name])}
                  </span>
                </header>
                <IndexMeaning name={name} />
              </li>
            ))}
          </ul>
        </section>
      </SideDrawer>
    </>
  )
}
