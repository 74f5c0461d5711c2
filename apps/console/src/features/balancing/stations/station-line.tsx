import { RightOutlined } from '@ant-design/icons'
import type { Device } from '@isotherm/contract/devices'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useIndexText } from '../indices/index-figure.tsx'
import { balanceQuery } from '../queries.ts'
import styles from './stations.module.css'

interface StationLineProps {
  readonly station: Device
  /** Query of the page with this station. */
  readonly search: string
  /** Whether to load and show its balance. */
  readonly isLoaded: boolean
}

/** Link to a station with the main figures of its loop. */
export function StationLine({ station, search, isLoaded }: StationLineProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const toText = useIndexText()
  const balance = useQuery({ ...balanceQuery(station.node), enabled: isLoaded })
  const indices = balance.data?.indices
  const name = station.nestaddr.split(',').at(-1) ?? station.name
  return (
    <Link className={styles.line} to={{ search }} data-testid={`station-${station.id}`}>
      <strong title={toWholeAddress(station.nestaddr)}>{name}</strong>
      {isLoaded && (
        <dl>
          <div>
            <dt>{t('place.sigma')}</dt>
            <dd>{balance.isError ? t('place.unknown') : toText('sigmaReturnK', indices?.sigmaReturnK)}</dd>
          </div>
          <div>
            <dt>{t('place.within')}</dt>
            <dd>{toText('withinOneK', indices?.withinOneK)}</dd>
          </div>
          <div>
            <dt>{t('place.valves')}</dt>
            <dd>{format.number(balance.data?.valves.length, 0)}</dd>
          </div>
        </dl>
      )}
      <RightOutlined className={styles.go ?? ''} />
    </Link>
  )
}
