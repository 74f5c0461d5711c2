import { PlusOutlined } from '@ant-design/icons'
import type { NodeKey } from '@isotherm/contract/tree'
import { Button, Select } from 'antd'
import { useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import field from '../../fields/field.module.css'
import styles from '../strategy.module.css'
import { areNested, listAreas, listFree, type Place } from './places.ts'

interface PlaceSelectProps {
  readonly places: readonly Place[]
  /** Places of other groups; they and their parts cannot be selected. */
  readonly taken: readonly NodeKey[]
  readonly chosen: readonly NodeKey[]
  readonly onChosen: (nodes: readonly NodeKey[]) => void
}

/** Options by residential area. A selected place that no longer exists can be removed. */
function listOptions(
  { places, taken, chosen }: Pick<PlaceSelectProps, 'places' | 'taken' | 'chosen'>,
  otherName: string,
) {
  const known = new Set(places.map(({ node }) => node))
  const others = chosen.filter((node) => !known.has(node))
  const areas = listAreas(places).map(([area, of]) => ({
    label: area,
    title: area,
    options: of.map(({ node, name }) => ({
      value: node,
      label: name,
      // Text shown and searched.
      whole: `${area} ${name}`,
      disabled:
        taken.some((each) => areNested(node, each)) ||
        chosen.some((each) => each !== node && areNested(node, each)),
    })),
  }))
  const toOther = (value: NodeKey) => ({ value, label: otherName, whole: otherName, disabled: false })
  return others.length === 0
    ? areas
    : [...areas, { label: otherName, title: otherName, options: others.map(toOther) }]
}

/** Select for the places of a group, by name or all free places of an area. */
export function PlaceSelect({ places, taken, chosen, onChosen }: PlaceSelectProps) {
  const { t } = useTranslation('balancing')
  const id = useId()
  const other = t('strategy.form.placeOther')
  const options = useMemo(() => listOptions({ places, taken, chosen }, other), [places, taken, chosen, other])
  const free = listAreas(listFree(places, [...taken, ...chosen]))
  return (
    <div className={field.field}>
      <label htmlFor={id}>{t('strategy.form.places')}</label>
      <Select<NodeKey[]>
        id={id}
        mode="multiple"
        className={styles.wide ?? ''}
        data-testid="group-places"
        allowClear
        showSearch={{ optionFilterProp: 'whole' }}
        optionLabelProp="whole"
        maxTagCount="responsive"
        placeholder={t('strategy.form.placesEmpty')}
        value={[...chosen]}
        options={options}
        onChange={onChosen}
      />
      <small>{t(chosen.length === 0 ? 'strategy.form.placesWrong' : 'strategy.form.placesHint')}</small>
      {free.length > 0 && (
        <div className={styles.line}>
          {free.map(([area, of]) => (
            <Button
              key={area}
              size="small"
              icon={<PlusOutlined />}
              data-testid={`place-all-${area}`}
              onClick={() => onChosen([...chosen, ...of.map(({ node }) => node)])}
            >
              {t('strategy.form.restOf', { area, count: of.length })}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
