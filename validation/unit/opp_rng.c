/* Random streams: the generators by their published values, the seeds by hand, the distributions by their bounds. */
#include <math.h>
#include <stdlib.h>

#include "unit/opp_probe.h"

/* ---- The generators, written down anew --------------------------------------------------------------------------- */

static uint64_t splitmix64(uint64_t* x)
{
  *x += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = *x;
  z ^= z >> 30;
  z *= UINT64_C(0xbf58476d1ce4e5b9);
  z ^= z >> 27;
  z *= UINT64_C(0x94d049bb133111eb);
  z ^= z >> 31;
  return z;
}

static uint64_t rotl(uint64_t x, unsigned bits)
{
  return (x << bits) | (x >> (64 - bits));
}

static uint64_t xoshiro256starstar(uint64_t s[4])
{
  const uint64_t result = rotl(s[1] * 5, 7) * 9;
  const uint64_t t      = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotl(s[3], 45);
  return result;
}

static uint64_t fnv1a(const char* text)
{
  uint64_t hash = UINT64_C(14695981039346656037);
  while (*text != '\0') {
    hash ^= (uint64_t)(unsigned char)*text++;
    hash *= UINT64_C(1099511628211);
  }
  return hash;
}

/* State of a stream, from the run's seed, the module's full path and the stream's number. */
static void seed_stream(uint64_t s[4], uint64_t seed, const char* path, uint64_t number)
{
  uint64_t x = seed;
  uint64_t y = splitmix64(&x) ^ fnv1a(path);
  uint64_t z = splitmix64(&y) + number;
  for (int i = 0; i < 4; i++)
    s[i] = splitmix64(&z);
}

SGF_TEST(the_generators_of_this_test_give_the_published_values)
{
  uint64_t x = 1234567;
  CU_ASSERT_EQUAL(splitmix64(&x), UINT64_C(6457827717110365317));
  CU_ASSERT_EQUAL(splitmix64(&x), UINT64_C(3203168211198807973));
  CU_ASSERT_EQUAL(splitmix64(&x), UINT64_C(9817491932198370423));
  uint64_t s[4] = {1, 2, 3, 4};
  CU_ASSERT_EQUAL(xoshiro256starstar(s), 11520);
  CU_ASSERT_EQUAL(xoshiro256starstar(s), 0);
  CU_ASSERT_EQUAL(xoshiro256starstar(s), 1509978240);
  CU_ASSERT_EQUAL(xoshiro256starstar(s), UINT64_C(1215971899390074240));
  CU_ASSERT_EQUAL(fnv1a("a"), UINT64_C(0xaf63dc4c8601ec8c));
  CU_ASSERT_EQUAL(fnv1a("foobar"), UINT64_C(0x85944171f73967e8));
}

/* ---- Streams ----------------------------------------------------------------------------------------------------- */

SGF_TEST(a_stream_is_seeded_from_run_path_and_number)
{
  static const uint64_t seeds[] = {0, 7, UINT64_MAX};
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
    opp_sim_t* sim    = opp_sim_new(seeds[i]);
    opp_module_t* net = opp_module_new(sim, NULL, "net", -1, NULL);
    opp_module_t* nic = opp_module_new(sim, net, "nic", 12, NULL);
    for (int number = 0; number < 4; number++) {
      uint64_t s[4];
      seed_stream(s, seeds[i], "net.nic[12]", (uint64_t)number);
      for (int draw = 0; draw < 100; draw++)
        CU_ASSERT_EQUAL_FATAL(opp_rng_uint64(opp_rng(nic, number)), xoshiro256starstar(s));
    }
    opp_sim_free(sim);
  }
}

static uint64_t first_draw(uint64_t seed, const char* name, int number, int others)
{
  opp_sim_t* sim    = opp_sim_new(seed);
  opp_module_t* net = opp_module_new(sim, NULL, "net", -1, NULL);
  for (int i = 0; i < others; i++)
    opp_rng_uint64(opp_rng(opp_module_new(sim, net, "other", i, NULL), number));
  const uint64_t draw = opp_rng_uint64(opp_rng(opp_module_new(sim, net, name, -1, NULL), number));
  opp_sim_free(sim);
  return draw;
}

SGF_TEST(the_same_seed_gives_the_same_draws)
{
  CU_ASSERT_EQUAL(first_draw(5, "a", 0, 0), first_draw(5, "a", 0, 0));
  CU_ASSERT_NOT_EQUAL(first_draw(5, "a", 0, 0), first_draw(6, "a", 0, 0));
  CU_ASSERT_NOT_EQUAL(first_draw(5, "a", 0, 0), first_draw(5, "b", 0, 0));
  CU_ASSERT_NOT_EQUAL(first_draw(5, "a", 0, 0), first_draw(5, "a", 1, 0));
}

SGF_TEST(another_component_does_not_shift_the_draws)
{
  CU_ASSERT_EQUAL(first_draw(5, "a", 0, 0), first_draw(5, "a", 0, 3));
}

/* ---- Distributions ----------------------------------------------------------------------------------------------- */

static opp_rng_t* stream(opp_sim_t** sim)
{
  *sim = opp_sim_new(3);
  return opp_rng(opp_module_new(*sim, NULL, "draws", -1, NULL), 0);
}

/* A draw beyond the last whole multiple of the number of values is thrown away, any other taken modulo it. */
static void check_unbiased(int64_t low, int64_t high)
{
  opp_sim_t* sim;
  opp_rng_t* rng = stream(&sim);
  uint64_t s[4];
  seed_stream(s, 3, "draws", 0);
  const long double values = (long double)high - (long double)low + 1;
  const long double limit  = floorl(0x1p64L / values) * values;
  for (int i = 0; i < 1000; i++) {
    uint64_t draw;
    do
      draw = xoshiro256starstar(s);
    while ((long double)draw >= limit);
    const int64_t result = opp_rng_intuniform(rng, low, high);
    CU_ASSERT_FATAL(result >= low && result <= high);
    const uint64_t offset = values >= 0x1p64L ? draw : draw % (uint64_t)values;
    CU_ASSERT_EQUAL_FATAL((uint64_t)result - (uint64_t)low, offset);
  }
  opp_sim_free(sim);
}

SGF_TEST(intuniform_is_unbiased)
{
  check_unbiased(0, 0);
  check_unbiased(0, 1);
  check_unbiased(-3, 3);
  check_unbiased(1, 1000000007);
  check_unbiased(-1, INT64_MAX); /* 2^63 + 1 values: nearly half of the draws are thrown away */
  check_unbiased(INT64_MIN, INT64_C(1) << 61);
  check_unbiased(INT64_MIN, INT64_MAX);
}

SGF_TEST(intuniform_reaches_both_bounds_equally_often)
{
  enum { DRAWS = 60000, VALUES = 6 };
  opp_sim_t* sim;
  opp_rng_t* rng    = stream(&sim);
  int count[VALUES] = {0};
  for (int i = 0; i < DRAWS; i++)
    count[opp_rng_intuniform(rng, 10, 15) - 10]++;
  for (int i = 0; i < VALUES; i++)
    CU_ASSERT(abs(count[i] - DRAWS / VALUES) < 500); /* 5.5 standard deviations */
  opp_sim_free(sim);
}

SGF_TEST(uniform_stays_below_its_upper_bound)
{
  enum { DRAWS = 100000 };
  opp_sim_t* sim;
  opp_rng_t* rng = stream(&sim);
  double sum     = 0;
  for (int i = 0; i < DRAWS; i++) {
    const double value = opp_rng_uniform(rng, 2, 4);
    CU_ASSERT_FATAL(value >= 2 && value < 4);
    sum += value;
  }
  CU_ASSERT_DOUBLE_EQUAL(sum / DRAWS, 3, 0.01);
  /* Where only two numbers are in reach, half of the sums would be rounded up to the bound. */
  const double low = 0x1p53;
  for (int i = 0; i < 1000; i++)
    CU_ASSERT_EQUAL_FATAL(opp_rng_uniform(rng, low, low + 2), low);
  CU_ASSERT_EQUAL(opp_rng_uniform(rng, 1, 1), 1);
  opp_sim_free(sim);
}

SGF_TEST(exponential_has_its_mean)
{
  enum { DRAWS = 100000 };
  opp_sim_t* sim;
  opp_rng_t* rng = stream(&sim);
  double sum     = 0;
  int above      = 0;
  for (int i = 0; i < DRAWS; i++) {
    const double value = opp_rng_exponential(rng, 20);
    CU_ASSERT_FATAL(value >= 0 && value < 20 * 54 * 0.7); /* - ln 2^-53 */
    sum += value;
    above += value > 20;
  }
  CU_ASSERT_DOUBLE_EQUAL(sum / DRAWS, 20, 0.4);
  CU_ASSERT_DOUBLE_EQUAL((double)above / DRAWS, exp(-1), 0.01);
  opp_sim_free(sim);
}
