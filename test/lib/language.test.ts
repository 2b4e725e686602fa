import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { languages, nearDayIn, percentIn, sizeIn } from '../../src/lib/language.ts'

const formats = suite('languages: formats')

formats('should be right again and again, also when more were used than are kept', () => {
  const at = new Date('2026-12-24T23:30:00Z')
  for (const pass of [1, 2]) {
    for (const language of languages) {
      const size = new Intl.NumberFormat(language, { style: 'unit', unit: 'megabyte' })
      const percent = new Intl.NumberFormat(language, { style: 'percent' })
      assert.is(sizeIn(language, 123_000_000), size.format(123), `${language} ${pass}`)
      assert.is(percentIn(language, 41), percent.format(0.41), `${language} ${pass}`)
      for (const timeZone of ['UTC', 'Europe/Berlin', 'Asia/Tokyo']) {
        const style = { weekday: 'short', day: 'numeric', month: 'short', timeZone } as const
        const day = new Intl.DateTimeFormat(language, style)
        assert.is(nearDayIn(timeZone, language, at, at.getTime() - 864e5), day.format(at))
      }
    }
  }
})
