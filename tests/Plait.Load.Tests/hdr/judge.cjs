// The other implementation: reads one JSON question on stdin and answers it with hdr-histogram-js on stdout.
//   {"kind":"index","values":[...]}        the class of each value in our layout, with its smallest and largest value
//   {"kind":"log","log":"...","percents":[...]}   what it reads of a .hlog, interval by interval
//   {"kind":"distribution","payload":"..."}       the .hgrm of a histogram
//   {"kind":"write","digits":3,"intervals":[{"tag":"a","values":[[value,count],...]}]}   a .hlog that it writes
const hdr = require("hdr-histogram-js");

const build = (digits) =>
  hdr.build({
    bitBucketSize: 64,
    autoResize: false,
    lowestDiscernibleValue: 1,
    highestTrackableValue: 3600000000000,
    numberOfSignificantValueDigits: digits,
  });

const answers = {
  index({ values }) {
    const histogram = build(3);
    return values.map((value) => ({
      index: histogram.countsArrayIndex(value),
      lowest: histogram.lowestEquivalentValue(value),
      highest: histogram.highestEquivalentValue(value),
    }));
  },
  log({ log, percents }) {
    const reader = new hdr.HistogramLogReader(log, 64);
    const intervals = [];
    for (let one = reader.nextIntervalHistogram(); one !== null; one = reader.nextIntervalHistogram())
      intervals.push({
        tag: one.tag,
        start: one.startTimeStampMsec,
        end: one.endTimeStampMsec,
        count: one.totalCount,
        max: one.maxValue,
        min: one.minNonZeroValue,
        percentiles: percents.map((percent) => one.getValueAtPercentile(percent)),
      });
    return { intervals, tags: hdr.listTags(log) };
  },
  distribution({ payload }) {
    return hdr.decodeFromCompressedBase64(payload, 64).outputPercentileDistribution(5, 1000000);
  },
  write({ digits, intervals }) {
    let log = "";
    const writer = new hdr.HistogramLogWriter((text) => (log += text));
    writer.outputLogFormatVersion();
    writer.outputStartTime(1700000000000);
    writer.outputLegend();
    const told = intervals.map(({ tag, values }, at) => {
      const histogram = build(digits);
      for (const [value, count] of values) histogram.recordValueWithCount(value, count);
      histogram.tag = tag ?? "NO TAG";
      writer.outputIntervalHistogram(histogram, at, at + 1, 1000000);
      return {
        count: histogram.totalCount,
        max: histogram.maxValue,
        percentiles: [1, 50, 90, 99, 99.9, 100].map((percent) => histogram.getValueAtPercentile(percent)),
      };
    });
    return { log, told };
  },
};

const question = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(answers[question.kind](question)));
