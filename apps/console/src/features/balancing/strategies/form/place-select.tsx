import type { NodeKey } from '@isotherm/contract/tree'
import { Select } from 'antd'
import { useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import styles from '../strategy.module.css'
import { areNested, type Place } from './places.ts'

interface PlaceSelectProps {
  readonly places: readonly Place[]
  /** Places of the other groups: they and what is in them cannot be chosen. */
  readonly taken: readonly NodeKey[]
  readonly chosen: readonly NodeKey[]
  readonly onChosen: (nodes: readonly NodeKey[]) => void
}

/** The places of one group, found by name. */
export function PlaceSelect({ places, taken, chosen, onChosen }: PlaceSelectProps) {
  const { t } = useTranslation('balancing')
  const id = useId()
  const options = useMemo(() => {
    const isOneArea = places.filter(({ level }) => level === 'area').length === 1
    return places.map(({ node, names, level, name }) => ({
      value: node,
      label:
        level === 'area' ? t('strategy.form.wholeOf', { name }) : names.slice(isOneArea ? 1 : 0).join(' '),
      disabled:
        taken.some((other) => areNested(node, other)) ||
        chosen.some((other) => other !== node && areNested(node, other)),
    }))
  }, [places, taken, chosen, t])
  const isMissing = chosen.length === 0
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{t('strategy.form.places')}</label>
      <Select<NodeKey[]>
        id={id}
        mode="multiple"
        className={styles.wide ?? ''}
        data-testid="group-places"
        allowClear
        optionFilterProp="label"
        maxTagCount="responsive"
        placeholder={t('strategy.form.placesEmpty')}
        status={isMissing ? 'error' : ''}
        value={[...chosen]}
        options={options}
        onChange={onChosen}
      />
      {isMissing ? (
        <small className={styles.wrong}>{t('strategy.form.placesWrong')}</small>
      ) : (
        <small>{t('strategy.form.placesHint')}</small>
      )}
    </div>
  )
}
