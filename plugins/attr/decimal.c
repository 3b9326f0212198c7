/* Exact decimals. A result keeps no trailing zeros behind the point, so that equal numbers are equal structs. */
#include "attr_internal.h"

static sgf_decimal_t decimal(sgf_int128_t digits, int64_t scale)
{
  while (scale > 1 && digits % 10 == 0) {
    digits /= 10;
    scale /= 10;
  }
  return (sgf_decimal_t){(int64_t)digits, scale};
}

/* Both scales are powers of ten, so the larger one is a multiple of the other. */
static int64_t common_scale(sgf_decimal_t a, sgf_decimal_t b)
{
  return a.scale > b.scale ? a.scale : b.scale;
}

static sgf_int128_t digits_at(sgf_decimal_t a, int64_t scale)
{
  return (sgf_int128_t)a.digits * (scale / a.scale);
}

int64_t sgf_decimal_of(sgf_decimal_t fraction, int64_t whole)
{
  sgf_int128_t product  = (sgf_int128_t)fraction.digits * whole;
  sgf_int128_t quotient = product / fraction.scale;
  /* division truncates towards zero */
  return (int64_t)(product < 0 && product % fraction.scale != 0 ? quotient - 1 : quotient);
}

int sgf_decimal_compare(sgf_decimal_t a, sgf_decimal_t b)
{
  int64_t scale      = common_scale(a, b);
  sgf_int128_t left  = digits_at(a, scale);
  sgf_int128_t right = digits_at(b, scale);
  return (left > right) - (left < right);
}

sgf_decimal_t sgf_decimal_add(sgf_decimal_t a, sgf_decimal_t b)
{
  int64_t scale = common_scale(a, b);
  return decimal(digits_at(a, scale) + digits_at(b, scale), scale);
}

sgf_decimal_t sgf_decimal_sub(sgf_decimal_t a, sgf_decimal_t b)
{
  int64_t scale = common_scale(a, b);
  return decimal(digits_at(a, scale) - digits_at(b, scale), scale);
}

double sgf_decimal_value(sgf_decimal_t a)
{
  return (double)a.digits / (double)a.scale;
}
