import type { FieldValue } from '@isotherm/codecs/bytes/field-value'
import {
  type FrameReport,
  isRight,
  type ProblemPlace,
  type ReportField,
} from '@isotherm/codecs/describe/frame-report'
import { useTranslation } from 'react-i18next'

const pick = (texts: Readonly<Record<string, string>>, word: string): string =>
  Object.hasOwn(texts, word) ? (texts[word] ?? word) : word

const toSumText = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0')

/** Texts for the content of a frame. A word without a text, such as that of a maker's own extension, is shown as it is. */
export function useFrameWords() {
  const { t } = useTranslation('devices')
  const texts = t('frames', { returnObjects: true })

  const toValue = (value: FieldValue): string => {
    switch (value.kind) {
      case 'number':
      case 'text':
        return value.text
      case 'code':
        return pick(texts.code, value.code)
      case 'bytes':
        return value.hex.replace(/(..)(?=.)/g, '$1 ')
      case 'absent':
        return texts.absent
      case 'bad':
        return t('frames.badDigits', { hex: value.hex })
      case 'time': {
        const marks = [value.isValid ? '' : texts.invalidTime, value.isSummer ? texts.summer : '']
        return `${value.text.replace('T', ' ')}${marks.join('')}`
      }
    }
  }

  /** A problem with the byte where it is, counted from 1, and what the format requires there. */
  const toProblem = (problem: string, place: ProblemPlace | undefined): string => {
    if (place === undefined) return problem
    const { at, found, expected, missing } = place
    if (missing !== undefined) return t('frames.bytesMissing', { problem, missing })
    const known = { problem, number: at + 1 }
    if (found === undefined) return t('frames.atByte', known)
    const there = { ...known, found: toSumText(found) }
    return expected === undefined
      ? t('frames.byteIs', there)
      : t('frames.byteInstead', { ...there, expected: toSumText(expected) })
  }

  return {
    /** Name of a field. */
    name: ({ name }: ReportField): string => pick(texts.field, name),
    /** What the field is beyond its name: a maximum, a stored value, an average. */
    qualifiers: ({
      function: kind,
      storage,
      tariff,
      subunit,
      modifiers = [],
    }: ReportField): readonly string[] => [
      ...(kind === undefined ? [] : [pick(texts.function, kind)]),
      ...(storage === undefined ? [] : [t('frames.storage', { number: storage })]),
      ...(tariff === undefined ? [] : [t('frames.tariff', { number: tariff })]),
      ...(subunit === undefined ? [] : [t('frames.subunit', { number: subunit })]),
      ...modifiers.map((modifier) => pick(texts.modifier, modifier)),
    ],
    /** Exact value with the unit of the frame. */
    value: ({ value, unit }: ReportField): string =>
      value.kind === 'number' && unit !== undefined && unit !== ''
        ? `${toValue(value)} ${unit}`
        : toValue(value),
    /** Protocol, direction, action, address and what is wrong, in one line. */
    summary: (report: FrameReport): readonly string[] => {
      const { protocol, direction, action, address, refusal, problem, place } = report
      const way = direction === undefined ? texts.either : texts[direction]
      // The checksum has a line of its own in the panel; here it is named only if it is wrong.
      const fault = problem ?? (isRight(report.checksum) ? undefined : 'bad-sum')
      return [
        `${pick(texts.protocol, protocol)} ${way}`,
        ...(action === 'unknown' ? [] : [pick(texts.action, action)]),
        ...(address === '' ? [] : [t('frames.address', { address })]),
        ...(refusal === undefined ? [] : [t('frames.refused', { reason: pick(texts.refusal, refusal) })]),
        ...(fault === undefined ? [] : [toProblem(pick(texts.problem, fault), place)]),
      ]
    },
    checksum: ({ checksum }: FrameReport): string => {
      if (checksum.kind === 'none') return texts.noSum
      const found = toSumText(checksum.found)
      return isRight(checksum)
        ? t('frames.sumRight', { found })
        : t('frames.sumWrong', { found, expected: toSumText(checksum.expected) })
    },
  }
}
