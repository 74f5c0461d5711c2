import { expect, test } from 'vitest'
import { foldName } from './fold-name.ts'

test.each([
  ['和源热力集团', 'heyuanrelijituan', 'hyrljt'],
  ['三号楼', '3haolou', '3hl'],
  ['绿园Ａ座', 'lvyuanazuo', 'lyaz'],
  ['长安小区', 'changanxiaoqu', 'caxq'],
  ['银行家属院', 'yinhangjiashuyuan', 'yhjsy'],
  ['重庆路', 'chongqinglu', 'cql'],
  ['101', '101', '101'],
  ['Block 7', 'block7', 'block7'],
])('%s is read %s and abbreviated %s', (name, pinyin, initials) => {
  expect(foldName(name)).toMatchObject({ pinyin, initials })
})

test('§3: Chinese numerals (一 to 十, 百) equal digits, and width and case do not count', () => {
  expect(foldName('二十三号楼').folded).toBe('23号楼')
  expect(foldName('一百零二室').folded).toBe('102室')
  expect(foldName('Ａ座')).toMatchObject({ plain: 'a座', folded: 'a座' })
  expect(foldName('八一小区').plain).toBe('八一小区')
})
