import type { NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import { useTranslation } from 'react-i18next'
import styles from './edit.module.css'

/** What a move or removal of a node concerns: nodes below it, devices, accounts with a grant on any of them. */
export function Touched({ touches }: { readonly touches: NonNullable<NodeRecord['touches']> }) {
  const { t } = useTranslation('network')
  return (
    <ul className={styles.touched} data-testid="edit-touches">
      {(['nodes', 'devices', 'accounts'] as const).map((what) => (
        <li key={what}>
          <span>{t(`edit.touches.${what}`)}</span> <strong className="num">{touches[what]}</strong>
        </li>
      ))}
    </ul>
  )
}
