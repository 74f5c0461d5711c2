import { type MapCoordinates, mapCoordinates } from '@isotherm/contract/network/map'
import { Alert, Button, InputNumber, Popconfirm, Segmented } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, toFailureText } from '../../../shared/api/api-error.ts'
import { fromWgs84, intoWgs84 } from '../view/ground-position.ts'
import type { LngLat } from '../view/mercator.ts'
import styles from './detail.module.css'
import type { Draft, Drafting } from './use-draft.ts'
import { usePlaceSaving } from './use-place-saving.ts'

interface PositionFormProps {
  readonly draft: Draft
  readonly isRemovable: boolean
  readonly drafting: Drafting
}

/** Decimals of a degree in the fields: one centimetre. */
const PRECISION = 7
const axes = [
  { key: 'longitude', max: 180 },
  { key: 'latitude', max: 90 },
] as const

/** Typed coordinates; one of them may be missing. */
type Typed = readonly [number | null, number | null]

const toLngLat = ([longitudeDeg, latitudeDeg]: Typed): LngLat | undefined =>
  longitudeDeg === null || latitudeDeg === null ? undefined : [longitudeDeg, latitudeDeg]

/** Form for the coordinates of a node, in WGS-84 or GCJ-02; it follows the marker on the map. */
export function PositionForm({ draft, isRemovable, drafting }: PositionFormProps) {
  const { t } = useTranslation('map')
  const id = useId()
  const [system, setSystem] = useState<MapCoordinates>('wgs84')
  // The typed text is shown while the position is still the typed one.
  const [entry, setEntry] = useState<{ readonly typed: Typed; readonly at: LngLat | undefined }>()
  const saving = usePlaceSaving(draft, drafting)
  const typed: Typed =
    entry && entry.at === draft.at ? entry.typed : draft.at ? fromWgs84(draft.at, system) : [null, null]
  const type = (axis: 0 | 1, value: number | null) => {
    const next: Typed = axis === 0 ? [value, typed[1]] : [typed[0], value]
    const whole = toLngLat(next)
    const at = whole && intoWgs84(whole, system)
    setEntry({ typed: next, at })
    drafting.move(at)
  }
  const { error } = saving
  const isStale = error instanceof ApiError && error.code === 'entity.stale'
  return (
    <form
      className={styles.form}
      data-testid="map-position-form"
      onSubmit={(event) => {
        event.preventDefault()
        saving.save()
      }}
    >
      <div className={styles.field}>
        <span id={`${id}-system`}>{t('form.system')}</span>
        <Segmented<MapCoordinates>
          size="small"
          aria-labelledby={`${id}-system`}
          value={system}
          options={mapCoordinates.options.map((each) => ({ value: each, label: t(`form.${each}`) }))}
          onChange={(next) => {
            setEntry(undefined)
            setSystem(next)
          }}
        />
        <small className={styles.hint}>{t('form.systemHint')}</small>
      </div>
      <div className={styles.pair}>
        {axes.map(({ key, max }, axis) => (
          <div key={key} className={styles.field}>
            <label htmlFor={`${id}-${key}`}>{t(`form.${key}`)}</label>
            <InputNumber
              id={`${id}-${key}`}
              className={styles.wide ?? ''}
              min={-max}
              max={max}
              precision={PRECISION}
              suffix="°"
              controls={false}
              data-testid={`map-${key}`}
              value={typed[axis] ?? null}
              onChange={(value) => type(axis === 0 ? 0 : 1, value)}
            />
          </div>
        ))}
      </div>
      <small className={styles.hint}>{t('form.drag')}</small>
      {error && (
        <Alert
          type="error"
          showIcon
          title={toFailureText(error)}
          action={
            isStale && (
              <Button size="small" onClick={saving.reload}>
                {t('form.stale')}
              </Button>
            )
          }
        />
      )}
      <div className={styles.end}>
        {isRemovable && (
          <Popconfirm title={t('form.removeSure', { name: draft.label })} onConfirm={saving.remove}>
            <Button danger size="small">
              {t('form.remove')}
            </Button>
          </Popconfirm>
        )}
        <Button onClick={drafting.end}>{t('form.cancel')}</Button>
        <Button
          type="primary"
          htmlType="submit"
          disabled={!draft.at}
          loading={saving.isBusy}
          data-testid="map-save"
        >
          {t('form.save')}
        </Button>
      </div>
    </form>
  )
}
